package io.solidus.edge.gateway.committee;

import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.Member;
import io.solidus.wire.json.PartialSignatureJson;
import java.util.List;

/**
 * A {@link Certificate} in JSON.
 *
 * @param core hexadecimal
 * @param partials verified by the gateway; a wallet may verify them again
 * @param combined base64url, one blinded signature point per output
 * @param faulty indexes of the authorities whose answer did not verify
 */
public record CertificateJson(
    @Member(hexBytes = 32) String core,
    List<PartialSignatureJson> partials,
    @Member(bytes = 96) List<String> combined,
    List<Integer> faulty) {
  public static CertificateJson of(Certificate certificate) {
    return new CertificateJson(
        certificate.core().hex(),
        certificate.partials().stream().map(PartialSignatureJson::of).toList(),
        certificate.combined().stream().map(point -> Base64Url.encode(point.bytes())).toList(),
        certificate.faulty());
  }
}
