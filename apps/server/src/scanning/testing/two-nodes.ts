import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll } from "vitest";
import { buildApp } from "../../assembly/app.ts";
import { TestApi } from "../../testing/test-api.ts";
import { type CountingScene, countingSlices } from "./scene.ts";

/**
 * Starts a second server over the scene's database, as where several nodes share one. Returns the counter's calls through either
 * node, by a number: the even ones are the scene's own server's.
 */
export function twoNodes(scene: CountingScene): (number: number) => TestApi {
  let secondNode: FastifyInstance;
  let secondUrl: string;
  beforeAll(async () => {
    secondNode = await buildApp(scene.server.context, [...countingSlices], null);
    secondUrl = await secondNode.listen({ port: 0, host: "127.0.0.1" });
  });
  afterAll(() => secondNode.close());
  return (number) => {
    const { api } = scene.counter;
    return number % 2 === 0 ? api : new TestApi(secondUrl, api.token);
  };
}
