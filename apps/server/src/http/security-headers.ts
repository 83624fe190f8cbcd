import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";

/**
 * A strict policy from the first day: scripts only of our own, no inline ones. Inline styles are allowed because the
 * component library sets them; wasm-unsafe-eval is for the barcode decoder; product images come from Shopify's CDN.
 */
export async function setSecurityHeaders(app: FastifyInstance, https: boolean): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", "data:", "blob:", "https:", ...(https ? [] : ["http:"])],
        connectSrc: ["'self'"],
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
        fontSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: https ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: "same-origin" },
    crossOriginEmbedderPolicy: false,
    xFrameOptions: { action: "deny" },
  });
  app.addHook("onSend", async (request, reply) => {
    // What a call says is its caller's alone and changes at any time; who knows better has said so already.
    if (request.url.startsWith("/api/") && !reply.hasHeader("cache-control")) {
      reply.header("cache-control", "no-store");
    }
    reply.header("permissions-policy", "camera=(self), microphone=(), geolocation=(), payment=()");
  });
}
