/** As ends.c, for what Java says. */
public class Ends {
    static int pick(int[] from, int which) {
        return from[which];
    }

    public static void main(String[] arguments) {
        System.out.println(pick(new int[2], 5));
    }
}
