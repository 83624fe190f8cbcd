import { proveShelf } from "./testing/shelf-property.ts";

proveShelf(20);
