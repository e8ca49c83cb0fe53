/**
 * What the policy and sanction authorities said, verified, and what follows from it for a request.
 */
@NullMarked
package io.solidus.authority.common.facts;

import org.jspecify.annotations.NullMarked;
