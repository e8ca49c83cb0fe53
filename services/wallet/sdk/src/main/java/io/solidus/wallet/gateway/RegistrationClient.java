package io.solidus.wallet.gateway;

import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.model.RegistrationCase;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.token.TokenRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Client of the registration service, the only service that receives the owner's identity. */
public final class RegistrationClient {
  private final RestClient rest;

  public RegistrationClient(RestClient rest) {
    this.rest = rest;
  }

  /** Opens a case; a repeated request for the same core returns the same case. */
  public RegistrationCase open(TxCore core, Applicant applicant, RegisterRequest request) {
    Map<String, Object> body = new LinkedHashMap<>();
    switch (applicant) {
      case Person person -> body.put("person", person(person));
      case Organisation organisation -> body.put("organisation", organisation.details());
    }
    body.put("registration", registration(request));
    if (applicant.bank() != null) {
      body.put("bank", applicant.bank());
    }
    JsonNode answer =
        rest.post("/v1/registrations", ReplyJson.tree(body), RestClient.idempotencyKey(core));
    return ReplyJson.read(
        "a registration case",
        answer,
        node ->
            new RegistrationCase(
                ReplyJson.text(node, "caseId"), ReplyJson.text(node, "accessToken")));
  }

  public CaseStatus status(RegistrationCase opened) {
    JsonNode answer =
        rest.get(
            "/v1/registrations/" + RestClient.segment(opened.id()),
            Map.of("X-Case-Token", opened.accessToken()));
    return ReplyJson.read(
        "a registration case",
        answer,
        node ->
            new CaseStatus(
                ReplyJson.text(node, "status"),
                optional(node, "attestationNote"),
                optional(node, "reason")));
  }

  /**
   * The day's blind tokens; the same requests get the same answers.
   *
   * @param day in days since 1970 (UTC): today
   * @param requests as many as the keys of tokens say
   * @return 256 bytes for each request, not verified
   */
  public List<byte[]> tokens(RegistrationCase opened, long day, List<TokenRequest> requests) {
    List<String> encoded =
        requests.stream().map(request -> Base64Url.encode(request.encode())).toList();
    JsonNode answer =
        rest.post(
            "/v1/registrations/" + RestClient.segment(opened.id()) + "/tokens",
            ReplyJson.tree(Map.of("day", day, "requests", encoded)),
            Map.of("X-Case-Token", opened.accessToken()));
    return ReplyJson.read(
        "signed tokens",
        answer,
        node -> {
          List<byte[]> signed =
              ReplyJson.each(
                  node, "responses", one -> Base64Url.decode(one.asString(), "responses"));
          if (signed.size() != requests.size()) {
            throw ReplyJson.misbehaved("the registration service signed other tokens", null);
          }
          return signed;
        });
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
    return node.path(name).isString() ? ReplyJson.text(node, name) : null;
  }
}
