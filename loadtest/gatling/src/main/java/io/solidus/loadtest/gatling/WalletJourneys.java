package io.solidus.loadtest.gatling;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.asLongAs;
import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.http.HttpDsl.http;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import io.solidus.loadtest.forge.RequestPool;
import io.solidus.loadtest.forge.RestTransfer;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The journeys of wallets, as in loadtest/k6/lib/journeys.js. */
final class WalletJourneys {
  private static final int ATTEMPTS = 3;
  private static final int PARCEL_CHARACTERS = 1600;
  private static final int PAGE = 200;
  private static final double SHARE_OF_NEW = 0.05;
  private static final String ALPHABET =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  private static final Pattern VERSION = Pattern.compile("(?m)^version:? (\\d+)$");

  private static final String TRANSFER = "transfer";
  private static final String BEGUN = "begun";
  private static final String LEFT = "left";
  private static final String SIGNED = "signed";
  private static final String AFTER = "after";
  private static final String KNOWN = "known";
  private static final String LIST = "list";

  private final RouteCall calls;
  private final Measurements measured;
  private final RequestPool pool;
  private final long seed;
  private final long mailboxEnd;
  private final Queue<Long> positions = new ConcurrentLinkedQueue<>();
  private final AtomicReference<Optional<KnownList>> list = new AtomicReference<>(Optional.empty());

  /** The sanction list that returning wallets have. */
  private record KnownList(String version, String tag) {}

  /**
   * Creates the journeys.
   *
   * @param mailboxEnd position of wallets that have read everything
   */
  WalletJourneys(
      RouteCall calls, Measurements measured, RequestPool pool, long seed, long mailboxEnd) {
    this.calls = calls;
    this.measured = measured;
    this.pool = pool;
    this.seed = seed;
    this.mailboxEnd = mailboxEnd;
  }

  /** Random numbers from the run's seed and the user's number. */
  private SplittableRandom chance(Session session) {
    return new SplittableRandom(seed * 31 + session.userId());
  }

  /** Submits a transfer, asks for its state and its certificate, leaves the coin in the mailbox. */
  ChainBuilder pay() {
    return exec(this::begin)
        .exec(
            asLongAs(session -> session.getInt(LEFT) > 0)
                .on(
                    calls
                        .call(
                            "submit",
                            http("submit")
                                .post("/v1/transfers")
                                .header("Content-Type", "application/json")
                                .header("Idempotency-Key", session -> transfer(session).core())
                                .body(StringBody(session -> transfer(session).body())))
                        .exec(this::submitted)
                        .doIf(session -> session.getInt(LEFT) > 0)
                        .then(pause(session -> Duration.ofSeconds(RouteCall.retryAfter(session))))))
        .exec(this::ended)
        .exec(doIf(session -> session.getBoolean(SIGNED)).then(afterwards()));
  }

  private ChainBuilder afterwards() {
    return calls
        .call(
            "state",
            http("state")
                .post("/v1/coins/state")
                .header("Content-Type", "application/json")
                .body(
                    StringBody(session -> "{\"serials\":[\"" + transfer(session).lead() + "\"]}")))
        .exec(session ->
            require(
                session,
                RouteCall.json(session)
                    .path("states")
                    .path(0)
                    .path("status")
                    .asString("")
                    .equals("signed")))
        .exec(
            calls.call(
                "certificate",
                http("certificate")
                    .get(session ->
                        "/v1/transfers/"
                            + transfer(session).core()
                            + "?lead="
                            + transfer(session).lead())))
        .exec(session ->
            require(
                session,
                RouteCall.json(session).path("core").asString("").equals(transfer(session).core())))
        .exec(
            calls.call(
                "mailbox-post",
                http("mailbox-post")
                    .post("/v1/mailbox")
                    .header("Content-Type", "application/json")
                    .body(StringBody(session -> "{\"blob\":\"" + parcel(session) + "\"}"))));
  }

  private Session begin(Session session) {
    Optional<RestTransfer> next = pool.next();
    if (next.isEmpty()) {
      measured.notSupplied();
      return session.set(LEFT, 0).set(SIGNED, false);
    }
    return session
        .set(TRANSFER, next.get())
        .set(LEFT, ATTEMPTS)
        .set(SIGNED, false)
        .set(BEGUN, System.nanoTime());
  }

  private static RestTransfer transfer(Session session) {
    return session.<RestTransfer>get(TRANSFER);
  }

  /**
   * Handles the answer of a submit: after a temporary refusal the same transfer is sent again at
   * the time that the platform names.
   */
  private Session submitted(Session session) {
    if (RouteCall.statusOf(session) == 200) {
      boolean own =
          RouteCall.json(session).path("core").asString("").equals(transfer(session).core());
      return require(session, own).set(LEFT, 0).set(SIGNED, own);
    }
    int left = RouteCall.retryAfter(session) == 0 ? 0 : session.getInt(LEFT) - 1;
    if (left > 0) {
      measured.sentAgain();
    }
    return session.set(LEFT, left);
  }

  private Session ended(Session session) {
    String phase = session.getString(RouteCall.PHASE);
    if (session.getBoolean(SIGNED)) {
      measured.paid(
          phase, (int) Duration.ofNanos(System.nanoTime() - session.getLong(BEGUN)).toMillis());
    } else if (session.contains(TRANSFER)) {
      measured.notPaid(phase);
    }
    return session;
  }

  private Session require(Session session, boolean right) {
    if (RouteCall.fine(session) && !right) {
      calls.wrongAnswer(session);
    }
    return session;
  }

  private String parcel(Session session) {
    SplittableRandom random = chance(session);
    StringBuilder text = new StringBuilder(PARCEL_CHARACTERS);
    for (int i = 0; i < PARCEL_CHARACTERS; i++) {
      text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return text.toString();
  }

  /** Reads the network, the rules, and the sanction list unless the known one is the newest. */
  ChainBuilder look() {
    return exec(session ->
            session.set(
                KNOWN, chance(session).nextDouble() < SHARE_OF_NEW ? Optional.empty() : list.get()))
        .exec(calls.call("info", http("info").get("/v1/info")))
        .exec(
            doIf(session -> known(session).isEmpty())
                .then(calls.call("keys", http("keys").get("/v1/keys"))))
        .exec(calls.call("policy", http("policy").get("/v1/policy")))
        .exec(calls.call("checkpoint", http("checkpoint").get("/v1/sanctions/checkpoint")))
        .exec(this::checkpoint)
        .exec(
            doIf(session -> !session.getString(LIST).isEmpty())
                .then(
                    calls
                        .call(
                            "list",
                            http("list")
                                .get(session ->
                                    "/v1/sanctions/checkpoints/"
                                        + session.getString(LIST)
                                        + "/list")
                                .header("If-None-Match", this::wantedTag))
                        .exec(this::listed)));
  }

  private static Optional<KnownList> known(Session session) {
    return session.<Optional<KnownList>>get(KNOWN);
  }

  private Session checkpoint(Session session) {
    Matcher version = VERSION.matcher(RouteCall.text(session));
    boolean found = RouteCall.fine(session) && version.find();
    return require(session, found).set(LIST, found ? version.group(1) : "");
  }

  /** The tag of the known list; a tag that never matches if this wallet has none. */
  private String wantedTag(Session session) {
    return known(session)
        .filter(list -> list.version().equals(session.getString(LIST)))
        .map(KnownList::tag)
        .orElse("\"none\"");
  }

  private Session listed(Session session) {
    if (RouteCall.fine(session)) {
      boolean same =
          known(session).filter(list -> list.version().equals(session.getString(LIST))).isPresent();
      require(session, RouteCall.statusOf(session) == (same ? 304 : 200));
      list.set(Optional.of(new KnownList(session.getString(LIST), RouteCall.tag(session))));
    }
    return session;
  }

  /** Reads the mailbox from the wallet's position, or from the start after a restore. */
  ChainBuilder read() {
    return exec(session -> session.set(AFTER, position(session)))
        .exec(
            calls.call(
                "mailbox-read",
                http("mailbox-read")
                    .get(session ->
                        "/v1/mailbox?after=" + session.getLong(AFTER) + "&limit=" + PAGE)))
        .exec(session -> {
          long next = RouteCall.json(session).path("next").asLong(-1);
          require(session, next >= session.getLong(AFTER));
          positions.add(Math.max(next, session.getLong(AFTER)));
          return session;
        });
  }

  private long position(Session session) {
    if (chance(session).nextDouble() < SHARE_OF_NEW) {
      return 0;
    }
    Long position = positions.poll();
    return position == null ? mailboxEnd : position;
  }
}
