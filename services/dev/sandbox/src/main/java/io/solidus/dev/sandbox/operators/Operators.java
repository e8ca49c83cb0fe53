package io.solidus.dev.sandbox.operators;

import io.solidus.dev.openid.OpenIdClient;
import io.solidus.dev.sandbox.secrets.Installation;
import io.solidus.dev.sandbox.settings.Ports;
import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.protocol.MintApproval;
import io.solidus.protocol.MintId;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.MintStatementJson;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The bank's operators of a development installation, each of whom logs in at the OpenID provider.
 */
public final class Operators {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String CASES = "/admin/v1/kyc/cases?limit=200&status=";

  private final Installation installation;
  private final AdminClient kyc;
  private final AdminClient secondKyc;
  private final AdminClient lists;
  private final AdminClient policies;
  private final AdminClient supervisor;
  private final AdminClient issuance;
  private final URI issuanceUrl;

  public Operators(Ports ports, Installation installation) throws IOException {
    this.installation = installation;
    URI sanctions = url(ports.sanctionsAdmin());
    this.issuanceUrl = url(ports.issuanceAdmin());
    this.kyc = client(url(ports.registrationAdmin()), "operator-kim");
    this.secondKyc = client(url(ports.registrationAdmin()), "operator-kai");
    this.lists = client(sanctions, "operator-sam");
    this.policies = client(sanctions, "operator-pat");
    this.supervisor = client(sanctions, "supervisor-lee");
    this.issuance = client(issuanceUrl, "operator-ida");
  }

  private AdminClient client(URI base, String person) throws IOException {
    return new AdminClient(
        base,
        new OpenIdClient(installation.tokens().issuer(), Staff.CLIENT),
        person,
        installation.password());
  }

  private static URI url(int port) {
    return URI.create("http://127.0.0.1:" + port);
  }

  /**
   * Imports a sanction list file by two persons.
   *
   * @param reason what both say when something speaks against the file
   * @return the number of its entries
   */
  public int importList(String list, Path file, String reason) throws IOException {
    AdminClient.Answer plain = lists.postFile(imports(list, null), file);
    boolean asked =
        plain.body() != null && "list-needs-reason".equals(plain.body().path("code").asString(""));
    JsonNode imported =
        asked ? proposeList(list, file, reason) : plain.orThrow("import of " + list);
    if (imported.path("proposal").isNull()) {
      return imported.path("inForce").path("entries").asInt();
    }
    accept(imported.path("proposal").path("id").asString(), asked ? reason : null);
    return imported.path("proposal").path("payload").path("entries").asInt();
  }

  /**
   * Proposes a sanction list file as the next version of its list.
   *
   * @param reason why the file is right although something speaks against it, or null
   */
  public JsonNode proposeList(String list, Path file, @Nullable String reason) throws IOException {
    return lists.postFile(imports(list, reason), file).orThrow("import of " + list);
  }

  private static String imports(String list, @Nullable String reason) {
    return "/admin/v1/sanctions/lists/"
        + list
        + "/imports"
        + (reason == null ? "" : "?reason=" + URLEncoder.encode(reason, StandardCharsets.UTF_8));
  }

  /**
   * Approves a proposal at the sanctions service as the supervisor.
   *
   * @param confirmation what the supervisor answers to objections, or null
   */
  public JsonNode accept(String proposal, @Nullable String confirmation) throws IOException {
    return supervisor
        .post(
            "/admin/v1/approvals/" + proposal,
            confirmation == null ? Map.of() : Map.of("confirmation", confirmation))
        .orThrow("approval");
  }

  /** The newest version of every imported list. */
  public JsonNode lists() throws IOException {
    return lists.get("/admin/v1/sanctions/lists").orThrow("view of the lists").path("lists");
  }

  /** Approves a registration case. */
  public void approveCase(String caseId) throws IOException {
    kyc.post("/admin/v1/kyc/cases/" + caseId + "/approve", Map.of()).orThrow("approval of a case");
  }

  /** Two officers approve an organisation. */
  public void approveOrganisation(String caseId) throws IOException {
    for (AdminClient officer : List.of(kyc, secondKyc)) {
      officer
          .post(
              "/admin/v1/kyc/cases/" + caseId + "/approve",
              Map.of("reason", "extract of the register seen"))
          .orThrow("approval of an organisation");
    }
  }

  /**
   * Refuses a registration case.
   *
   * @param code of the catalogue; all that the applicant reads
   * @param reason for the file
   */
  public void refuseCase(String caseId, String code, String reason) throws IOException {
    kyc.post("/admin/v1/kyc/cases/" + caseId + "/refuse", Map.of("code", code, "reason", reason))
        .orThrow("refusal of a case");
  }

  /**
   * Two officers say of a case that its person is registered already, with an earlier case.
   *
   * @return the case's status
   */
  public String decideDuplicate(String caseId) throws IOException {
    String status = "";
    String earlier = viewCase(caseId).path("duplicates").path(0).path("caseId").asString("none");
    for (AdminClient officer : List.of(kyc, secondKyc)) {
      status =
          officer
              .post(
                  "/admin/v1/kyc/cases/" + caseId + "/duplicates/" + earlier,
                  Map.of("verdict", "duplicate", "reason", "the same person"))
              .orThrow("verdict on a possible duplicate")
              .path("status")
              .asString("");
    }
    return status;
  }

  /** The id of the newest case with a status and a family name, or an organisation's name. */
  public Optional<String> findCase(String status, String name) throws IOException {
    Optional<String> found = Optional.empty();
    String path = CASES + status;
    JsonNode page;
    do {
      page = kyc.get(path).orThrow("list of cases");
      for (JsonNode summary : page.path("cases")) {
        if (summary.path("familyName").asString("").equals(name)
            || summary.path("name").asString("").equals(name)) {
          found = Optional.of(summary.path("caseId").asString());
        }
      }
      path = CASES + status + "&cursor=" + page.path("next").asString("");
    } while (page.path("next").isString());
    return found;
  }

  /** The first cases with a status. */
  public JsonNode cases(String status) throws IOException {
    return kyc.get(CASES + status).orThrow("list of cases").path("cases");
  }

  /** A case as the operator sees it. */
  public JsonNode viewCase(String caseId) throws IOException {
    return kyc.get("/admin/v1/kyc/cases/" + caseId).orThrow("view of a case");
  }

  /** Proposes a policy, approves it as another operator, and returns its version. */
  public long publishPolicy(PolicyLimits limits) throws IOException {
    JsonNode proposal = policies.post("/admin/v1/policies", limits).orThrow("proposal of a policy");
    accept(proposal.path("id").asString(), "the sandbox's limits");
    return newestPolicy().path("version").asLong();
  }

  /** The newest policy, or a missing node. */
  public JsonNode newestPolicy() throws IOException {
    return policies.get("/admin/v1/policies").orThrow("list of policies").path("policies").path(0);
  }

  /** Proposes and approves the listing of an address. */
  public void listAddress(String address, String reason) throws IOException {
    approve(
        lists
            .post("/admin/v1/sanctions/addresses", Map.of("address", address, "reason", reason))
            .orThrow("proposal of a listing"));
  }

  /** Publishes the list of addresses as the next checkpoint; returns its version. */
  public long publishCheckpoint() throws IOException {
    return lists
        .post("/admin/v1/sanctions/checkpoints", Map.of())
        .orThrow("publication of a checkpoint")
        .path("version")
        .asLong();
  }

  private void approve(JsonNode proposal) throws IOException {
    accept(proposal.path("id").asString(), null);
  }

  /** Records money received at the bank; returns the id and access token for the holder. */
  public JsonNode recordFunding(String fundingId, long amountMinor) throws IOException {
    return issuance
        .post(
            "/admin/v1/fundings",
            Map.of(
                "fundingId",
                fundingId,
                "amountMinor",
                amountMinor,
                "accountReference",
                "sandbox account"))
        .orThrow("record of a funding");
  }

  /** Signs a mint with the keys of both approvers. */
  public void approveMint(MintId mint) throws IOException {
    String path = "/admin/v1/mints/" + Base64Url.encode(mint.bytes());
    for (String approver : Installation.APPROVERS) {
      AdminClient client = client(issuanceUrl, approver);
      JsonNode view = client.get(path).orThrow("view of a mint");
      MintStatementJson statement =
          JSON.treeToValue(view.path("statement"), MintStatementJson.class);
      Ed25519PrivateKey key = installation.approverKey(approver);
      byte[] signature =
          key.sign(MintApproval.message(installation.network(), statement.toDomain()));
      client
          .post(
              path + "/approvals",
              Map.of("approver", approver, "signature", Base64Url.encode(signature)))
          .orThrow("approval of a mint");
    }
  }

  /** The mints that wait for approvals. */
  public List<MintId> waitingMints() throws IOException {
    List<MintId> waiting = new ArrayList<>();
    for (JsonNode mint :
        issuance
            .get("/admin/v1/mints?status=awaiting-approval")
            .orThrow("list of mints")
            .path("mints")) {
      waiting.add(MintId.of(Base64Url.decode(mint.path("mintId").asString(), "mintId")));
    }
    return waiting;
  }

  /**
   * Sends all accepted payouts to the bank, which pays them at once; returns their sum in minor
   * units. One operator proposes the batch, another one releases it.
   */
  public long payOut() throws IOException {
    AdminClient.Answer proposed = issuance.post("/admin/v1/payout-batches", Map.of());
    if (proposed.body() != null
        && proposed.body().path("code").asString("").equals("nothing-to-pay")) {
      return 0;
    }
    JsonNode batch = proposed.orThrow("proposal of a batch").path("batch");
    String path = "/admin/v1/payout-batches/" + batch.path("batchId").asString();
    AdminClient approver = client(issuanceUrl, Installation.APPROVERS.getFirst());
    approver.post(path + "/release", Map.of()).orThrow("release of a batch");
    byte[] notification =
        new SimulatedBank(Clock.systemUTC()).pay(issuance.document(path + "/message"));
    JsonNode handedIn =
        issuance
            .postXml("/admin/v1/bank/messages", notification)
            .orThrow("the bank's notification");
    approver
        .post(
            "/admin/v1/bank/messages/"
                + handedIn.path("message").path("message").path("uploadId").asString()
                + "/approval",
            Map.of("previewDigest", handedIn.path("message").path("previewDigest").asString()))
        .orThrow("approval of the bank's notification");
    return batch.path("totalMinor").asLong();
  }

  /** The settings of the desk's account at the simulated bank, by property name. */
  public static Map<String, Object> bankSettings() {
    return Map.of(
        "solidus.issuance.bank.account", SimulatedBank.ACCOUNT,
        "solidus.issuance.bank.name", SimulatedBank.OWNER,
        "solidus.issuance.bank.bic", SimulatedBank.BIC);
  }

  /** An object with issuedMinor, redeemedMinor, outstandingMinor and bankBalanceMinor. */
  public JsonNode supply() throws IOException {
    return issuance.get("/admin/v1/supply").orThrow("supply");
  }
}
