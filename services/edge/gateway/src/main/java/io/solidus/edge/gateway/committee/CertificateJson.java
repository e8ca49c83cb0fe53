package io.solidus.edge.gateway.committee;

import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.PartialSignatureJson;
import java.util.List;

/**
 * A quorum's answer in JSON.
 *
 * @param core hexadecimal
 * @param partials checked by the gateway; a wallet may check them again
 * @param combined base64url, one blinded signature point per output
 * @param faulty authorities whose answer did not verify
 */
public record CertificateJson(
    String core, List<PartialSignatureJson> partials, List<String> combined, List<Integer> faulty) {
  public static CertificateJson of(Certificate certificate) {
    return new CertificateJson(
        certificate.core().hex(),
        certificate.partials().stream().map(PartialSignatureJson::of).toList(),
        certificate.combined().stream().map(point -> Base64Url.encode(point.bytes())).toList(),
        certificate.faulty());
  }
}
