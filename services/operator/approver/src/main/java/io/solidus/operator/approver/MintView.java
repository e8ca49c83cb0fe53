package io.solidus.operator.approver;

import io.solidus.protocol.MintStatement;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.MintStatementJson;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A mint as the issuance service shows it.
 *
 * @param statement what an approver signs; the service's other fields are only its word
 * @param approvers who has approved so far
 */
record MintView(
    MintStatement statement,
    String status,
    String fundingId,
    List<String> approvers,
    String requestedAt) {
  private static final JsonMapper JSON = JsonMapper.shared();

  /**
   * Reads a mint.
   *
   * @throws ApproveException answer-invalid
   */
  static MintView of(JsonNode node) {
    MintStatement statement;
    try {
      statement = JSON.treeToValue(node.path("statement"), MintStatementJson.class).toDomain();
    } catch (RuntimeException e) {
      throw ApproveException.refused(
          "answer-invalid", "the service's answer has no readable statement of the mint");
    }
    List<String> approvers = new ArrayList<>();
    node.path("approvals").forEach(approval -> approvers.add(text(approval, "approver")));
    return new MintView(
        statement,
        text(node, "status"),
        text(node, "fundingId"),
        approvers,
        text(node, "requestedAt"));
  }

  String id() {
    return Base64Url.encode(statement.mintId().bytes());
  }

  /** A text of the service without control characters, which could hide lines on a terminal. */
  static String text(JsonNode node, String name) {
    return node.path(name).asString("").replaceAll("\\p{C}", "?");
  }
}
