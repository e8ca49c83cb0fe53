package io.solidus.wallet.gateway;

import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.model.RegistrationCase;
import io.solidus.wire.json.Base64Url;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The registration service's REST API: the only service that a wallet tells whose it is. */
public final class RegistrationClient {
  private final RestClient rest;

  public RegistrationClient(RestClient rest) {
    this.rest = rest;
  }

  /** Opens a case; the same core again gives the same case. */
  public RegistrationCase open(TxCore core, Person person, RegisterRequest request) {
    JsonNode answer =
        rest.post(
            "/v1/registrations",
            Answer.tree(Map.of("person", person(person), "registration", registration(request))),
            Map.of("Idempotency-Key", core.hex()));
    return Answer.read(
        "a registration case",
        answer,
        node ->
            new RegistrationCase(Answer.text(node, "caseId"), Answer.text(node, "accessToken")));
  }

  public CaseStatus status(RegistrationCase opened) {
    JsonNode answer =
        rest.get(
            "/v1/registrations/" + RestClient.segment(opened.id()),
            Map.of("X-Case-Token", opened.accessToken()));
    return Answer.read(
        "a registration case",
        answer,
        node ->
            new CaseStatus(
                Answer.text(node, "status"),
                optional(node, "attestationNote"),
                optional(node, "reason")));
  }

  private static Map<String, Object> person(Person person) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("givenName", person.givenName());
    json.put("familyName", person.familyName());
    json.put("birthDate", person.birthDate().toString());
    json.put("nationality", person.nationality());
    json.put("documentNumber", person.documentNumber());
    return json;
  }

  private static Map<String, Object> registration(RegisterRequest request) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("apk", Base64Url.encode(request.statement().apk().bytes()));
    json.put("cm", Base64Url.encode(request.statement().coin().cm().bytes()));
    json.put("k", Base64Url.encode(request.statement().coin().k().bytes()));
    json.put("circuitVersion", request.circuitVersion());
    json.put("rk", Base64Url.encode(request.rk().bytes()));
    json.put("proof", Base64Url.encode(request.proof()));
    json.put("rkSignature", Base64Url.encode(request.rkSignature()));
    return json;
  }

  private static @Nullable String optional(JsonNode node, String name) {
    return node.path(name).isString() ? Answer.text(node, name) : null;
  }
}
