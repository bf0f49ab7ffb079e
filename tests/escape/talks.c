/* Tries to be heard outside: by the abstract socket, the socket in a folder, the TCP and the UDP port
 * of its arguments, by loopback, a name server, and raw packets; with sockets of its own and with the
 * pair that it may have. Afterwards: nobody has heard anything. */
#include "../programs/attack.h"
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

static void say_to(int fd, void *address, socklen_t length) {
    struct iovec text = {"hostile", 7};
    struct msghdr message = {.msg_name = address, .msg_namelen = length, .msg_iov = &text, .msg_iovlen = 1};
    FAILS(connect(fd, address, length), "");
    sendto(fd, "hostile", 7, MSG_NOSIGNAL | MSG_DONTWAIT, address, length);
    sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    FAILS(bind(fd, address, length), "");
}

int main(int argc, char **argv) {
    if (argc < 5) return 2;
    struct sockaddr_un names[3] = {{.sun_family = AF_UNIX}, {.sun_family = AF_UNIX}, {.sun_family = AF_UNIX}};
    socklen_t length = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(argv[1]);
    strcpy(names[0].sun_path + 1, argv[1]);
    strcpy(names[1].sun_path + 1, argv[1]);
    names[1].sun_path[1] = 'R';
    snprintf(names[2].sun_path, sizeof names[2].sun_path, "%s", path_of(argv[2]));
    struct sockaddr_in addresses[] = {
        {AF_INET, htons(atoi(argv[3])), {htonl(INADDR_LOOPBACK)}, {0}},
        {AF_INET, htons(atoi(argv[4])), {htonl(INADDR_LOOPBACK)}, {0}},
        {AF_INET, htons(53), {htonl(0x7f000035)}, {0}},
        {AF_INET, htons(53), {htonl(0x01010101)}, {0}},
    };
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons(atoi(argv[3])), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    int kinds[][3] = {{AF_UNIX, SOCK_STREAM, 0}, {AF_UNIX, SOCK_DGRAM, 0}, {AF_UNIX, SOCK_SEQPACKET, 0}, {AF_INET, SOCK_STREAM, 0},
                      {AF_INET, SOCK_DGRAM, 0}, {AF_INET, SOCK_RAW, IPPROTO_ICMP}, {AF_INET, SOCK_DGRAM, IPPROTO_ICMP},
                      {AF_INET6, SOCK_STREAM, 0}, {AF_INET6, SOCK_DGRAM, 0}, {AF_PACKET, SOCK_RAW, 0}, {AF_NETLINK, SOCK_RAW, 0},
                      {38 /* AF_ALG */, SOCK_SEQPACKET, 0}, {40 /* AF_VSOCK */, SOCK_STREAM, 0}, {AF_TIPC, SOCK_STREAM, 0}};
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++) FAILS(socket(kinds[k][0], kinds[k][1], kinds[k][2]), "");
    int pair[2];
    for (int family = 0; family < 50; family++)
        for (int kind = 1; kind < 11; kind++)
            if (family != AF_UNIX || kind != SOCK_STREAM) FAILS(socketpair(family, kind, 0, pair), "");
    FAILS(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair), "");
    HOLDS(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) == 0);
    say_to(pair[0], &names[0], length);
    say_to(pair[0], &names[1], length);
    say_to(pair[0], &names[2], sizeof names[2]);
    for (int i = 0; i < 4; i++) say_to(pair[0], &addresses[i], sizeof addresses[i]);
    say_to(pair[0], &six, sizeof six);
    FAILS(listen(pair[0], 4), "");
    FAILS(accept(pair[0], NULL, NULL), "");
    FAILS(open(names[2].sun_path, O_RDWR), "");
    struct addrinfo *found = NULL;
    HOLDS(getaddrinfo("localhost.invalid", "80", NULL, &found) != 0);
    /* By the streams that it has. */
    for (int fd = 0; fd < 3; fd++) FAILS(connect(fd, (struct sockaddr *)&names[0], length), "");
    return safe();
}
