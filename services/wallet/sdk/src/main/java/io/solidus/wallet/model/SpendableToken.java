package io.solidus.wallet.model;

import io.solidus.wire.token.Token;

/**
 * A blind token that this wallet has not spent.
 *
 * @param day of its key, in days since 1970 (UTC); it counts on that day and on the next
 * @param usableFrom milliseconds since 1970: a token that is spent right after its batch was
 *     fetched would tell registration service and gateway together when this wallet was active
 */
public record SpendableToken(long day, long usableFrom, Token token) {}
