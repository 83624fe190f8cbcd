export * from "./api-client.ts";
export * from "./product.ts";
