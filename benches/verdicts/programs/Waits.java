// Asks three times, notes the time, and waits for an answer to nothing; with `thread`, another
// thread reads.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Instant;
import java.util.concurrent.LinkedBlockingQueue;

public class Waits {
    static final BufferedReader INPUT = new BufferedReader(new InputStreamReader(System.in));

    static String line() {
        try {
            return INPUT.readLine();
        } catch (IOException e) {
            return null;
        }
    }

    public static void main(String[] words) throws Exception {
        boolean threaded = words.length > 0 && words[0].equals("thread");
        var lines = new LinkedBlockingQueue<String>();
        if (threaded) {
            Thread reader = new Thread(() -> {
                for (String line = line(); line != null; line = line()) lines.add(line);
            });
            reader.setDaemon(true);
            reader.start();
        }
        // The first use of a clock loads classes, which is not to happen before the last wait.
        Instant now = Instant.now();
        for (int i = 0; i < 3; i++) {
            System.out.println("? " + i);
            System.out.flush();
            String answer = threaded ? lines.take() : line();
            now = Instant.now();
        }
        System.err.println(now.getEpochSecond() + String.format("%09d", now.getNano()));
        String none = threaded ? lines.take() : line();
        System.exit(1);
    }
}
