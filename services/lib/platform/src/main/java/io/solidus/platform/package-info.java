/**
 * What the services share, as Spring auto-configuration; each part switches itself on by what a
 * service has.
 */
@NullMarked
package io.solidus.platform;

import org.jspecify.annotations.NullMarked;
