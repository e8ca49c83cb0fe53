package io.solidus.edge.gateway.capabilities;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answer of {@code GET /v1/capabilities}. Later releases add members and change the meaning of
 * none, so a wallet leaves out what it does not know.
 *
 * @param currency ISO 4217
 * @param apis versions of the API, newest last
 * @param families statements that can be submitted, with their circuits
 * @param formats of what wallets read and write
 * @param offers what this gateway does
 * @param limits of requests and answers
 * @param tokens how a request shows that it is a registered wallet's; null where this gateway takes
 *     no tokens
 */
record Capabilities(
    String networkId,
    String networkKind,
    String currency,
    List<Api> apis,
    List<FamilyOffer> families,
    Formats formats,
    Offers offers,
    Limits limits,
    @Nullable Tokens tokens) {

  /**
   * A version of the API.
   *
   * @param version as the paths begin
   * @param deprecatedAt since when wallets should use another version; null while they need not
   * @param sunsetAt when it ends; null while that is open
   */
  record Api(String version, @Nullable Instant deprecatedAt, @Nullable Instant sunsetAt) {}

  /**
   * A family of statements.
   *
   * @param name in lower case, such as {@code transfer}
   * @param code as requests name it
   * @param circuitVersions for which the authorities verify proofs
   */
  record FamilyOffer(String name, int code, List<Integer> circuitVersions) {}

  /**
   * Formats and their versions.
   *
   * @param core what every digest of a core begins with
   * @param address version of addresses
   * @param policy first line of a policy's note
   * @param sanctionCheckpoint first line of a checkpoint's note
   * @param manifest format of the key manifest
   * @param manifestDigest SHA-256 of the key manifest that {@code GET /v1/keys} serves, hexadecimal
   */
  record Formats(
      String core,
      int address,
      String policy,
      String sanctionCheckpoint,
      String manifest,
      String manifestDigest) {}

  /**
   * What this gateway does.
   *
   * @param registration signatures on first compliance coins
   * @param recover recovers of locked accounts
   * @param delegatedProofs a prover is configured; {@code GET /v1/info} says whether it answers
   * @param mailBuckets messages can be posted to buckets and read from them
   * @param mailTables messages become final tables, whose headers can be read
   * @param mailTags a message can be posted, read and waited for by the tag of a payment request
   * @param mailEvents a stream that says when there is mail
   * @param transferEvents a stream that says what becomes of a transfer
   * @param provingKeys proving keys by download
   */
  record Offers(
      boolean registration,
      boolean recover,
      boolean delegatedProofs,
      boolean mailBuckets,
      boolean mailTables,
      boolean mailTags,
      boolean mailEvents,
      boolean transferEvents,
      boolean provingKeys) {}

  /**
   * Limits.
   *
   * @param bodyBytes the longest body of a request
   * @param bodySeconds for the whole body of a request
   * @param requestSeconds for an answer, except that of a proof
   * @param proofSeconds for a delegated proof
   * @param messageBytes the length of every message in the mailbox
   * @param mailboxPage the most messages on a page
   * @param mailboxDays for which messages are kept
   * @param lookUpSerials the most serial numbers in one question
   * @param messageKeyDays after its own day for which the Idempotency-Key of a message counts
   * @param proofKeySeconds for which the Idempotency-Key of a delegated proof counts
   * @param streamSeconds after which a stream of events ends and is opened anew
   */
  record Limits(
      long bodyBytes,
      long bodySeconds,
      long requestSeconds,
      long proofSeconds,
      int messageBytes,
      int mailboxPage,
      long mailboxDays,
      int lookUpSerials,
      int messageKeyDays,
      long proofKeySeconds,
      long streamSeconds) {}

  /**
   * Blind tokens (RFC 9578), which the registration service issues.
   *
   * @param scheme of the header {@code Authorization}
   * @param type of the tokens
   * @param origin that a token's challenge names
   */
  record Tokens(String scheme, int type, String origin) {}
}
