// What ordinary Java programs do: see ../table.toml.

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Scanner;

public class Everyday {
    static void answer() {
        Scanner in = new Scanner(System.in);
        while (in.hasNextLong()) {
            System.out.println(2 * in.nextLong());
            System.out.flush();
        }
    }

    static void threads() throws InterruptedException {
        long[] totals = new long[4];
        List<Thread> workers = new ArrayList<>();
        for (int number = 0; number < totals.length; number++) {
            final int first = number;
            Thread worker = new Thread(() -> {
                long total = 0;
                for (long i = 0; i < 1_000_000; i++) total += first + i % 7;
                totals[first] = total;
            });
            worker.start();
            workers.add(worker);
        }
        for (Thread worker : workers) worker.join();
        System.out.println(Arrays.stream(totals).sum());
    }

    static byte[] filled(int size) {
        byte[] memory = new byte[size];
        Arrays.fill(memory, (byte) 1);
        return memory;
    }

    static void exhaust() {
        List<byte[]> kept = new ArrayList<>();
        while (true) kept.add(filled(1 << 20));
    }

    public static void main(String[] words) throws InterruptedException {
        switch (words[0]) {
            case "hello" -> System.out.println("hello");
            case "answer" -> answer();
            case "threads" -> threads();
            case "heap" -> System.out.println(filled(200 << 20)[12345]);
            case "crash" -> throw new IllegalStateException("nobody catches this");
            case "exhaust" -> exhaust();
            default -> System.exit(2);
        }
    }
}
