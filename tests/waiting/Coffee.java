// Waits for a line as Java programs do; the last ways wake by themselves and speak first.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Scanner;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

public class Coffee {
    static String line() {
        try {
            return new BufferedReader(new InputStreamReader(System.in)).readLine();
        } catch (IOException e) {
            return null;
        }
    }

    static void say() {
        System.out.println("late");
        System.out.flush();
    }

    public static void main(String[] words) throws Exception {
        String got;
        switch (words[0]) {
            case "scanner" -> got = new Scanner(System.in).nextLine();
            case "reader" -> got = line();
            case "queue" -> {
                var lines = new LinkedBlockingQueue<String>();
                Thread reader = new Thread(() -> lines.add(line()));
                reader.setDaemon(true);
                reader.start();
                got = lines.take();
            }
            case "thread" -> {
                new Thread(() -> {
                    try {
                        Thread.sleep(200);
                    } catch (InterruptedException e) {
                        return;
                    }
                    say();
                }).start();
                got = line();
            }
            case "scheduled" -> {
                var executor = Executors.newScheduledThreadPool(1);
                executor.schedule(Coffee::say, 200, TimeUnit.MILLISECONDS);
                got = line();
                executor.shutdownNow();
            }
            default -> {
                System.exit(7);
                return;
            }
        }
        System.exit(got != null ? 0 : 8);
    }
}
