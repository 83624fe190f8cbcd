import { waitLonger } from "@stocktake/testkit/vitest";
import { drawTheSame } from "./draws.ts";

waitLonger();
drawTheSame();
