package io.solidus.authority.signer;

import io.solidus.protocol.Attestation;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.SerialNumber;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The serial numbers of a registration: one for its person and one for its address, SHA-256(label
 * || network digest || person tag or apk) mod r. A registration spends no coin; with these the rule
 * "one core for each serial number" also says "one first compliance coin for each person and
 * address". Only the sign-log and the signer's own table hold them.
 */
final class RegistrationSerials {

  private static final byte[] PERSON = label("solidus/registration-person/v1");
  private static final byte[] ADDRESS = label("solidus/registration-address/v1");

  private RegistrationSerials() {}

  static List<SerialNumber> of(NetworkId network, Attestation attestation) {
    return List.of(
        serial(PERSON, network, attestation.personTag().bytes()),
        serial(ADDRESS, network, attestation.apk().bytes()));
  }

  private static SerialNumber serial(byte[] label, NetworkId network, byte[] value) {
    return new SerialNumber(
        FieldElement.reduce(Digest32.sha256(label, network.digest().bytes(), value).bytes()));
  }

  private static byte[] label(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
