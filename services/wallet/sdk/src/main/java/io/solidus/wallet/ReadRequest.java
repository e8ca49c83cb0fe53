package io.solidus.wallet;

import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.wallet.request.PaymentRequest;
import org.jspecify.annotations.Nullable;

/**
 * A payment request with what this wallet knows of its payee.
 *
 * @param signer the key that signed the request; null for none
 * @param verifiedAs name of the contact whose key signed it; null when no contact's did. Show the
 *     request as that contact's only then
 * @param contact name of the contact that has the payee's address; null for none
 * @param refundsToSelf whether a refund will go to this wallet's own address
 */
public record ReadRequest(
    PaymentRequest request,
    @Nullable Ed25519PublicKey signer,
    @Nullable String verifiedAs,
    @Nullable String contact,
    boolean refundsToSelf) {}
