package io.solidus.wallet.clients

import com.squareup.moshi.Moshi
import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpServer
import io.solidus.wallet.clients.gateway.apis.CoinsApi
import io.solidus.wallet.clients.gateway.apis.DelegatedProofsApi
import io.solidus.wallet.clients.gateway.apis.MailboxApi
import io.solidus.wallet.clients.gateway.apis.MintsApi
import io.solidus.wallet.clients.gateway.apis.ParametersApi
import io.solidus.wallet.clients.gateway.apis.RecoversApi
import io.solidus.wallet.clients.gateway.apis.RegistrationsApi
import io.solidus.wallet.clients.gateway.apis.TransfersApi
import io.solidus.wallet.clients.gateway.infrastructure.ApiResponse
import io.solidus.wallet.clients.gateway.infrastructure.ClientError
import io.solidus.wallet.clients.gateway.infrastructure.Serializer
import io.solidus.wallet.clients.gateway.infrastructure.ServerError
import io.solidus.wallet.clients.gateway.infrastructure.Success
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.URI
import java.net.URLDecoder
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.Executors

/**
 * A gateway on the loopback interface that speaks with the real one by the generated client only: a
 * request is read into the generated classes, sent by the generated client, and its answer is
 * written from the generated classes. A wallet in front of it shows that the document describes
 * everything that the wallet needs. It is for tests.
 *
 * @param gateway the gateway behind it
 */
class GeneratedRelay(gateway: URI) : AutoCloseable {
  private val base = gateway.toString().trimEnd('/')
  private val parameters = ParametersApi(base)
  private val transfers = TransfersApi(base)
  private val recovers = RecoversApi(base)
  private val mints = MintsApi(base)
  private val registrations = RegistrationsApi(base)
  private val coins = CoinsApi(base)
  private val proofs = DelegatedProofsApi(base)
  private val mailbox = MailboxApi(base)

  private val routes: Map<String, (Call) -> ApiResponse<*>> =
      mapOf(
          "GET /v1/info" to { _ -> parameters.readInfoWithHttpInfo() },
          "GET /v1/capabilities" to { _ -> parameters.readCapabilitiesWithHttpInfo() },
          "GET /v1/keys" to { _ -> parameters.readKeyManifestWithHttpInfo() },
          "GET /v1/policy" to { _ -> parameters.readPolicyWithHttpInfo() },
          "GET /v1/sanctions/checkpoint" to { _ -> parameters.readCheckpointWithHttpInfo() },
          "GET /v1/sanctions/checkpoints/*/list" to
              { call -> parameters.readSanctionListWithHttpInfo(call.segment(4).toLong()) },
          "POST /v1/transfers" to
              { call -> transfers.submitTransferWithHttpInfo(call.body(), call.idempotencyKey) },
          "GET /v1/transfers/*" to
              { call -> transfers.findTransferWithHttpInfo(call.segment(3), call.query("lead")!!) },
          "POST /v1/recovers" to
              { call -> recovers.submitRecoverWithHttpInfo(call.body(), call.idempotencyKey) },
          "POST /v1/mints" to
              { call -> mints.signMintWithHttpInfo(call.body(), call.idempotencyKey) },
          "POST /v1/registrations/signatures" to
              { call -> registrations.signRegistrationWithHttpInfo(call.body(), call.idempotencyKey) },
          "POST /v1/coins/state" to { call -> coins.lookUpCoinsWithHttpInfo(call.body()) },
          "POST /v1/proofs" to
              { call -> proofs.delegateProofWithHttpInfo(call.body(), call.idempotencyKey) },
          "POST /v1/mailbox" to
              { call -> mailbox.postMessageWithHttpInfo(call.body(), call.idempotencyKey) },
          "GET /v1/mailbox" to
              { call ->
                mailbox.readMessagesWithHttpInfo(
                    call.query("after")?.toLong(), call.query("limit")?.toInt())
              },
      )

  private val called = ConcurrentLinkedQueue<String>()
  private val threads = Executors.newFixedThreadPool(THREADS)
  private val server =
      HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG).apply {
        executor = threads
        createContext("/") { exchange -> exchange.use(::relay) }
        start()
      }

  /** Where wallets find it. */
  fun uri(): URI = URI.create("http://127.0.0.1:${server.address.port}")

  /** The routes that were called, such as `POST /v1/transfers`. */
  fun called(): List<String> = called.toList()

  private fun HttpExchange.use(work: (HttpExchange) -> Unit) =
      try {
        work(this)
      } finally {
        close()
      }

  private fun relay(exchange: HttpExchange) {
    val call = Call(exchange)
    val route =
        routes.entries.firstOrNull { (name, _) -> call.matches(name) }
            ?: return exchange.send(404, emptyMap(), ByteArray(0))
    called.add(route.key)
    val answer =
        try {
          route.value(call)
        } catch (e: Exception) {
          e.printStackTrace()
          return exchange.send(502, emptyMap(), ByteArray(0))
        }
    when (answer) {
      is Success<*> -> exchange.send(answer.statusCode, emptyMap(), written(answer.data))
      is ClientError<*> -> exchange.send(answer.statusCode, answer.headers, refusal(answer.body))
      is ServerError<*> -> exchange.send(answer.statusCode, answer.headers, refusal(answer.body))
      else -> exchange.send(502, emptyMap(), ByteArray(0))
    }
  }

  private fun refusal(body: Any?): ByteArray = (body as? String).orEmpty().toByteArray()

  private fun written(data: Any?): ByteArray =
      when (data) {
        null -> ByteArray(0)
        is ByteArray -> data
        is String -> data.toByteArray()
        else -> Serializer.moshi.adapter<Any>(data.javaClass).toJson(data).toByteArray()
      }

  private fun HttpExchange.send(status: Int, headers: Map<String, List<String>>, body: ByteArray) {
    headers["retry-after"]?.let { responseHeaders["Retry-After"] = it }
    sendResponseHeaders(status, if (body.isEmpty()) -1 else body.size.toLong())
    responseBody.use { it.write(body) }
  }

  override fun close() {
    server.stop(0)
    threads.shutdownNow()
  }

  /** A wallet's request. */
  private class Call(exchange: HttpExchange) {
    private val method = exchange.requestMethod
    private val path = exchange.requestURI.path.split('/')
    private val parameters =
        exchange.requestURI.rawQuery.orEmpty().split('&').associate {
          it.substringBefore('=') to URLDecoder.decode(it.substringAfter('=', ""), Charsets.UTF_8)
        }
    val content = exchange.requestBody.readNBytes(BODY).toString(Charsets.UTF_8)
    val idempotencyKey: String? = exchange.requestHeaders.getFirst("Idempotency-Key")

    fun matches(route: String): Boolean {
      val pattern = route.substringAfter(' ').split('/')
      return route.substringBefore(' ') == method &&
          pattern.size == path.size &&
          pattern.zip(path).all { (expected, given) -> expected == "*" || expected == given }
    }

    fun segment(index: Int): String = path[index]

    fun query(name: String): String? = parameters[name]

    /** The body in a generated class. A member that the document does not have fails. */
    inline fun <reified T> body(): T = STRICT.adapter(T::class.java).failOnUnknown().fromJson(content)!!
  }

  private companion object {
    const val THREADS = 4
    const val BACKLOG = 64
    const val BODY = 1 shl 20
    val STRICT: Moshi = Serializer.moshi
  }
}
