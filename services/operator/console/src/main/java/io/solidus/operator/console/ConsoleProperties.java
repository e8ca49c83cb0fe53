package io.solidus.operator.console;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the console.
 *
 * @param publicUrl the console's address in the browser, without a slash at the end
 * @param login the OpenID provider
 * @param registration address of the registration's admin API
 * @param sanctions address of the sanctions service's admin API
 * @param issuance address of the issuance service's admin API
 * @param health addresses that answer 200 when a service is ready, by the service's name
 * @param idle a session ends so long after the last page or form
 * @param longest a session ends so long after its login
 * @param callTimeout of a whole call of an admin API
 * @param uploadTimeout of a whole call that carries a file
 * @param healthTimeout of a question whether a service is ready
 * @param answerLimit the longest answer that is read
 */
@ConfigurationProperties("solidus.console")
public record ConsoleProperties(
    URI publicUrl,
    Login login,
    URI registration,
    URI sanctions,
    URI issuance,
    @DefaultValue Map<String, URI> health,
    @DefaultValue("15m") Duration idle,
    @DefaultValue("8h") Duration longest,
    @DefaultValue("10s") Duration callTimeout,
    @DefaultValue("2m") Duration uploadTimeout,
    @DefaultValue("2s") Duration healthTimeout,
    @DefaultValue("8MB") DataSize answerLimit) {
  public ConsoleProperties {
    health = Map.copyOf(health);
  }

  /**
   * How people log in.
   *
   * @param issuerUri of the OpenID provider
   * @param clientId of the console
   * @param clientSecretFile its content is the console's secret
   * @param scopes asked for; the services' audience has to follow from them
   * @param roleClaims where the roles are in the access token, as {@code
   *     solidus.security.jwt.role-claims} of the services
   * @param bankClaim where the bank of a bank's staff is in the access token, as {@code
   *     solidus.security.jwt.bank-claim} of the services
   * @param timeout of each call of the provider
   */
  public record Login(
      String issuerUri,
      String clientId,
      Path clientSecretFile,
      @DefaultValue("openid") List<String> scopes,
      @DefaultValue("roles") List<String> roleClaims,
      @DefaultValue("bank") String bankClaim,
      @DefaultValue("5s") Duration timeout) {
    public Login {
      scopes = List.copyOf(scopes);
      roleClaims = List.copyOf(roleClaims);
    }
  }
}
