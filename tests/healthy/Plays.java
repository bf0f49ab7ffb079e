// One side of a dialogue, as plays.c has it: first|second ROUNDS READS WRITES SIZE MOVE[,MOVE...]
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

public class Plays {
    static final BufferedReader INPUT = new BufferedReader(new InputStreamReader(System.in));

    static String read() {
        try {
            return INPUT.readLine();
        } catch (IOException e) {
            return null;
        }
    }

    static void pass(String name, long ms) throws Exception {
        switch (name) {
            case "sleep" -> Thread.sleep(ms);
            case "park" -> {
                long end = System.nanoTime() + ms * 1000000;
                for (long left = ms * 1000000; left > 0; left = end - System.nanoTime()) LockSupport.parkNanos(left);
            }
            case "scheduled" -> {
                var executor = Executors.newScheduledThreadPool(2);
                executor.schedule(() -> {}, ms, TimeUnit.MILLISECONDS).get();
                executor.shutdownNow();
            }
            case "poll" -> new LinkedBlockingQueue<String>().poll(ms, TimeUnit.MILLISECONDS);
            case "wait" -> {
                Object monitor = new Object();
                synchronized (monitor) {
                    monitor.wait(ms + 1);
                }
            }
            case "future" -> CompletableFuture.runAsync(() -> {},
                CompletableFuture.delayedExecutor(ms, TimeUnit.MILLISECONDS)).get();
            case "timer" -> {
                var done = new CountDownLatch(1);
                var timer = new Timer();
                timer.schedule(new TimerTask() {
                    public void run() {
                        done.countDown();
                    }
                }, ms);
                done.await();
                timer.cancel();
            }
            case "hand-over" -> {
                var there = new SynchronousQueue<Long>();
                Thread thread = new Thread(() -> {
                    try {
                        for (long i = 0; i < ms * 5; i++) there.put(i);
                    } catch (InterruptedException e) {
                        System.exit(4);
                    }
                });
                thread.start();
                for (long i = 0; i < ms * 5; i++) there.take();
                thread.join();
            }
            case "collect" -> {
                Thread.sleep(ms);
                System.gc();
            }
            case "busy" -> {
                for (long end = System.nanoTime() + ms * 1000000; System.nanoTime() < end; ) Thread.onSpinWait();
            }
            default -> System.exit(7);
        }
    }

    public static void main(String[] words) throws Exception {
        boolean first = words[0].equals("first");
        int rounds = Integer.parseInt(words[1]), size = Integer.parseInt(words[4]);
        String[] moves = words[5].split(",");
        var lines = new LinkedBlockingQueue<String>();
        boolean ahead = words[2].equals("thread");
        if (ahead) {
            Thread reader = new Thread(() -> {
                for (String line = read(); line != null; line = read()) lines.add(line);
            });
            reader.setDaemon(true);
            reader.start();
        }
        for (int round = 0; round < 2 * rounds; round++) {
            if (round % 2 == 0 == first) {
                String[] move = moves[round / 2 % moves.length].split(":");
                pass(move[0], Long.parseLong(move[1]));
                String text = round / 2 + " ";
                text += "x".repeat(Math.max(0, size - text.length())) + "\n";
                if (words[3].equals("halves")) {
                    System.out.print(text.substring(0, text.length() / 2));
                    System.out.flush();
                    Thread.sleep(5);
                    text = text.substring(text.length() / 2);
                }
                System.out.print(text);
                System.out.flush();
            } else {
                String line = ahead ? lines.take() : read();
                if (line == null || !line.startsWith(round / 2 + " ")) System.exit(5);
            }
        }
        System.exit(0);
    }
}
