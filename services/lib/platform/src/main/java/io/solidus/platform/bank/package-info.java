/** Banks as tenants: whose objects a caller of the admin API may touch. */
@NullMarked
package io.solidus.platform.bank;

import org.jspecify.annotations.NullMarked;
