/**
 * Issues one authority's partial signature on the first compliance coin of an attested
 * registration.
 */
@NullMarked
package io.solidus.authority.complianceissuer;

import org.jspecify.annotations.NullMarked;
