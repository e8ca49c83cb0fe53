package io.solidus.edge.gateway.parameters;

import static io.solidus.protocol.RejectionCode.NOT_FOUND;
import static io.solidus.protocol.RejectionCode.OVERLOADED;

import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.edge.gateway.proofs.ProverClient;
import io.solidus.networkkeys.NetworkProperties;
import io.solidus.platform.description.Refuses;
import io.solidus.protocol.Committee;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.prover.KeySet;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.Member;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/v1")
@Tag(name = "parameters")
class ParameterController {
  private final CountersignedNotes notes;
  private final SanctionListProxy lists;
  private final ProverClient prover;
  private final NetworkInfo info;
  private final KeyFolder folder;
  private final SignedManifest manifest;
  private final String manifestTag;

  ParameterController(
      NetworkProperties network,
      GatewayProperties properties,
      Committee committee,
      KeySet keys,
      KeyFolder folder,
      CountersignedNotes notes,
      SanctionListProxy lists,
      ProverClient prover) {
    this.notes = notes;
    this.lists = lists;
    this.prover = prover;
    this.info = info(network, properties, committee, keys);
    this.folder = folder;
    this.manifest =
        new SignedManifest(
            Base64Url.encode(folder.manifest()), Base64Url.encode(folder.signature()));
    this.manifestTag = FixedContent.tag(Digest32.sha256(folder.manifest(), folder.signature()));
  }

  /**
   * The key manifest and its signature, base64url of the exact bytes. A signature is 128
   * hexadecimal digits, with or without a line feed.
   */
  record SignedManifest(
      @Member(pattern = "[A-Za-z0-9_-]*") String manifest,
      @Member(bytes = {128, 129}) String signature) {}

  /**
   * The file of shapes and its signature, base64url of the exact bytes. A signature is 128
   * hexadecimal digits, with or without a line feed.
   */
  record SignedShapes(
      @Member(pattern = "[A-Za-z0-9_-]*") String shapes,
      @Member(bytes = {128, 129}) String signature) {}

  private static NetworkInfo info(
      NetworkProperties network, GatewayProperties properties, Committee committee, KeySet keys) {
    Map<String, Integer> versions = new HashMap<>();
    keys.circuits()
        .forEach((family, circuit) ->
            versions.put(family.name().toLowerCase(Locale.ROOT), circuit.version()));
    GatewayProperties.Urls urls = properties.urls();
    return new NetworkInfo(
        network.id(),
        network.kind().name().toLowerCase(Locale.ROOT),
        properties.currency(),
        committee.n(),
        committee.f(),
        Map.of(
            "registration",
            urls.registration(),
            "sanctions",
            urls.sanctions(),
            "issuance",
            urls.issuance()),
        versions,
        null);
  }

  @GetMapping("/info")
  @Operation(operationId = "readInfo", summary = "The network and the addresses of its services")
  NetworkInfo info() {
    return info.with(prover.publicKey().orElse(null));
  }

  @GetMapping("/keys")
  @Operation(
      operationId = "readKeyManifest",
      summary = "The signed key manifest",
      description = "A wallet verifies it with its pinned manifest key.")
  @AnswersUnchanged
  ResponseEntity<SignedManifest> keys() {
    return ResponseEntity.ok()
        .cacheControl(CacheControl.noCache())
        .eTag(manifestTag)
        .body(manifest);
  }

  @GetMapping("/keys/shapes")
  @Refuses(NOT_FOUND)
  @Operation(
      operationId = "readShapes",
      summary = "The signed shapes",
      description =
          "Circuits that the network adds to those of its manifest. A wallet verifies them with its"
              + " pinned manifest key. A network without shapes has none.")
  @AnswersUnchanged
  ResponseEntity<SignedShapes> shapes() {
    KeyFolder.SignedFile shapes =
        folder
            .shapes()
            .orElseThrow(() -> new ProtocolException(NOT_FOUND, "this network has no shapes"));
    return ResponseEntity.ok()
        .cacheControl(CacheControl.noCache())
        .eTag(FixedContent.tag(Digest32.sha256(shapes.content(), shapes.signature())))
        .body(
            new SignedShapes(
                Base64Url.encode(shapes.content()), Base64Url.encode(shapes.signature())));
  }

  @GetMapping(path = "/keys/files/{sha256}", produces = MediaType.APPLICATION_OCTET_STREAM_VALUE)
  @Refuses(NOT_FOUND)
  @Operation(
      operationId = "readKeyFile",
      summary = "A file that the key manifest names",
      description =
          "A proving or verifying key, by its SHA-256 in hexadecimal. A download that broke off goes"
              + " on with Range. A wallet compares size and digest with the manifest before it uses"
              + " the file. Not every gateway has proving keys.")
  @AnswersRanges
  ResponseEntity<?> keyFile(
      @PathVariable @Parameter(schema = @Schema(pattern = "[0-9a-f]{64}")) String sha256,
      @RequestHeader @Parameter(hidden = true) HttpHeaders headers)
      throws IOException {
    Digest32 digest = Digest32.fromHex(sha256);
    return FixedContent.of(folder.file(digest), digest).answer(headers);
  }

  @GetMapping(path = "/policy", produces = MediaType.TEXT_PLAIN_VALUE)
  @Operation(
      operationId = "readPolicy",
      summary = "The policy in force",
      description = "A signed note with the countersignatures of f+1 authorities or more.")
  @AnswersUnchanged
  ResponseEntity<String> policy() {
    return note(notes.policy());
  }

  @GetMapping(path = "/sanctions/checkpoint", produces = MediaType.TEXT_PLAIN_VALUE)
  @Operation(
      operationId = "readCheckpoint",
      summary = "The sanction checkpoint in force",
      description = "A signed note with the countersignatures of f+1 authorities or more.")
  @AnswersUnchanged
  ResponseEntity<String> checkpoint() {
    return note(notes.checkpoint());
  }

  @GetMapping(
      path = "/sanctions/checkpoints/{version}/list",
      produces = MediaType.APPLICATION_OCTET_STREAM_VALUE)
  @Refuses(OVERLOADED)
  @Operation(
      operationId = "readSanctionList",
      summary = "The whole sanction list of a checkpoint",
      description =
          "Sorted 20-byte keys. Every wallet fetches the whole list, so the request does not reveal"
              + " an address. A download that broke off goes on with Range.")
  @AnswersRanges
  ResponseEntity<?> list(
      @Member(min = 0) @PathVariable long version,
      @RequestHeader @Parameter(hidden = true) HttpHeaders headers) {
    return lists.list(version).answer(headers);
  }

  private static ResponseEntity<String> note(String text) {
    return ResponseEntity.ok()
        .cacheControl(CacheControl.noCache())
        .eTag(FixedContent.tag(Digest32.sha256(text.getBytes(StandardCharsets.UTF_8))))
        .contentType(new MediaType(MediaType.TEXT_PLAIN, StandardCharsets.UTF_8))
        .body(text);
  }
}
