import type { FastifyInstance, FastifyRequest } from "fastify";

/**
 * A strict policy from the first day: scripts only of our own, no inline ones. Inline styles are allowed because the
 * component library sets them; wasm-unsafe-eval is for the barcode decoder; product images come from Shopify's CDN.
 */
function contentPolicy(https: boolean): string {
  return [
    "default-src 'self'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob: https:${https ? "" : " http:"}`,
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "font-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join(";");
}

/** The same on every response, so they are made once: making them anew cost a twentieth of a scan's time. */
function headersOf(https: boolean): Readonly<Record<string, string>> {
  return {
    "content-security-policy": contentPolicy(https),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "origin-agent-cluster": "?1",
    "permissions-policy": "camera=(self), microphone=(), geolocation=(), payment=()",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-dns-prefetch-control": "off",
    "x-frame-options": "DENY",
    "x-permitted-cross-domain-policies": "none",
    ...(https ? { "strict-transport-security": "max-age=31536000; includeSubDomains" } : {}),
  };
}

/** By the path as it was asked for, and by the route that was matched: an address can be written in more than one way. */
function isCall({ url, routeOptions }: FastifyRequest): boolean {
  return url.startsWith("/api/") || routeOptions.url?.startsWith("/api/") === true;
}

/** Sets the security headers of every response; `https` where PUBLIC_URL says so. */
export function setSecurityHeaders(app: FastifyInstance, https: boolean): void {
  const headers = headersOf(https);
  app.addHook("onRequest", (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
  app.addHook("onSend", (request, reply, _payload, done) => {
    // What a call returns is its caller's alone and changes at any time; a route that may be cached has set its own.
    if (isCall(request) && !reply.hasHeader("cache-control")) {
      reply.header("cache-control", "no-store");
    }
    done();
  });
}
