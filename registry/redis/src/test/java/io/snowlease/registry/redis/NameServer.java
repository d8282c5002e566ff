package io.snowlease.registry.redis;

import io.netty.resolver.dns.DnsServerAddressStreamProvider;
import io.netty.resolver.dns.SingletonDnsServerAddressStreamProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/** A name server on loopback, to which every name is 127.0.0.1; or which never answers (RFC 1035, section 4). */
final class NameServer implements AutoCloseable {
    private static final int HEADER_BYTES = 12;
    private static final short RESPONSE = (short) 0x8180;
    private static final short NAME_OF_THE_QUESTION = (short) 0xC00C;
    private static final short IPV4 = 1;

    private final DatagramSocket socket =
            new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    private final AtomicInteger asked = new AtomicInteger();
    private final boolean isSilent;

    NameServer(boolean isSilent) throws IOException {
        this.isSilent = isSilent;
        Thread thread = new Thread(this::serve, "name-server");
        thread.setDaemon(true);
        thread.start();
    }

    DnsServerAddressStreamProvider provider() {
        return new SingletonDnsServerAddressStreamProvider((InetSocketAddress) socket.getLocalSocketAddress());
    }

    /** How many questions have come. */
    int asked() {
        return asked.get();
    }

    private void serve() {
        DatagramPacket packet = new DatagramPacket(new byte[512], 512);
        while (!socket.isClosed()) {
            try {
                packet.setLength(512);
                socket.receive(packet);
                asked.incrementAndGet();
                if (!isSilent) {
                    byte[] answer = answer(ByteBuffer.wrap(packet.getData(), 0, packet.getLength()));
                    socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
                }
            } catch (IOException e) {
                if (!socket.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private static byte[] answer(ByteBuffer question) {
        int end = HEADER_BYTES;
        while (question.get(end) != 0) {
            end += 1 + question.get(end);
        }
        short type = question.getShort(end + 1);
        end += 1 + 2 + 2;
        boolean isKnown = type == IPV4;
        ByteBuffer answer = ByteBuffer.allocate(512);
        answer.putShort(question.getShort(0)).putShort(RESPONSE).putShort((short) 1);
        answer.putShort((short) (isKnown ? 1 : 0)).putShort((short) 0).putShort((short) 0);
        answer.put(question.duplicate().position(HEADER_BYTES).limit(end));
        if (isKnown) {
            answer.putShort(NAME_OF_THE_QUESTION)
                    .putShort(IPV4)
                    .putShort((short) 1)
                    .putInt(60);
            answer.putShort((short) 4).put(new byte[] {127, 0, 0, 1});
        }
        byte[] bytes = new byte[answer.position()];
        answer.flip().get(bytes);
        return bytes;
    }

    @Override
    public void close() {
        socket.close();
    }
}
