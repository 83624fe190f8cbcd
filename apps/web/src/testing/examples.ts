export * from "@stocktake/contract/examples";
