export * from "./api-client.ts";
export * from "./free-port.ts";
export * from "./product.ts";
