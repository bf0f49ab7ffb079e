int less(int x);
