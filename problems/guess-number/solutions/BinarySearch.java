// Binary search: halve the range until the reply is `equal`.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

public class BinarySearch {
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        int n = Integer.parseInt(in.readLine().trim());
        int low = 1, high = n;
        while (true) {
            int middle = low + (high - low) / 2;
            System.out.println("? " + middle);
            System.out.flush();
            String reply = in.readLine();
            if (reply.equals("equal")) {
                System.out.println("! " + middle);
                System.out.flush();
                return;
            }
            if (reply.equals("bigger")) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
    }
}
