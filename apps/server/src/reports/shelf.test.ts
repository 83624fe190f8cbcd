import { proveShelf } from "./testing/shelf-property.ts";

proveShelf(10);
