package io.solidus.platform.limits;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Groups clients by the network that one of them can have to itself. */
public final class ClientNetwork {
  private static final Logger log = LoggerFactory.getLogger(ClientNetwork.class);
  private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
  private static final int IPV6_NETWORK_BYTES = 8;

  private ClientNetwork() {}

  /**
   * An IPv4 address, or the network part of an IPv6 address: one client can use every address of
   * its IPv6 network. All texts that are no address count as one network.
   */
  public static String of(String address) {
    if (IPV4.matcher(address).matches()) {
      return address;
    }
    try {
      if (address.indexOf(':') >= 0) { // a literal: getByName parses it and makes no DNS query
        InetAddress parsed = InetAddress.getByName(address);
        return parsed instanceof Inet6Address
            ? HexFormat.of().formatHex(parsed.getAddress(), 0, IPV6_NETWORK_BYTES)
            : parsed.getHostAddress();
      }
    } catch (UnknownHostException e) {
      log.debug("the address of a client is not an IP address");
    }
    return ""; // all unparsable addresses count as one network
  }
}
