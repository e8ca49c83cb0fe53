/**
 * REST clients of the gateway and of the operator's services. Internal, except {@link
 * io.solidus.wallet.gateway.Applicant}, {@link io.solidus.wallet.gateway.Person}, {@link
 * io.solidus.wallet.gateway.Organisation} and, for pinning a profile, {@link
 * io.solidus.wallet.gateway.GatewayClient#info} and {@link
 * io.solidus.wallet.gateway.ServiceDirectory}.
 */
@NullMarked
package io.solidus.wallet.gateway;

import org.jspecify.annotations.NullMarked;
