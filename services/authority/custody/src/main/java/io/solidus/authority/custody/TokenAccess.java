package io.solidus.authority.custody;

import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import java.nio.file.Path;

/**
 * Where the key that a share is wrapped with lies.
 *
 * @param library the token's PKCS#11 module, an absolute path
 * @param slot the token's slot, as the module numbers it
 * @param keyLabel label of the AES key in the token
 * @param pinFile holds the user's PIN and nothing else; readable by its owner alone
 */
public record TokenAccess(
    @NotNull Path library, @Min(0) int slot, @NotBlank String keyLabel, @NotNull Path pinFile) {}
