import { waitLonger } from "@stocktake/testkit/vitest";

waitLonger();
