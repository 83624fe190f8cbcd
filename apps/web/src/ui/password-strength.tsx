import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { messages } from "./password-strength-messages.ts";

/** Of the estimator: 0 is guessed at once, 4 holds against whoever has the stored hash. */
export type Strength = 0 | 1 | 2 | 3 | 4;

// Its list of common passwords is larger than the rest of the page: loaded when a new password is first typed.
async function loadEstimator(): Promise<(password: string) => Strength> {
  const [{ ZxcvbnFactory }, common] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  const estimator = new ZxcvbnFactory({ dictionary: common.dictionary, graphs: common.adjacencyGraphs });
  return (password) => estimator.check(password, ["stocktake", "admin"]).score;
}

/** Longer ones are strong enough, and estimating them takes long. */
const estimated = 64;

/** What a new password is worth, while it is typed. It is advice: the rule is the length alone. */
export function PasswordStrength({ password }: { readonly password: string }) {
  const typed = useDeferredValue(password);
  const { data: strengthOf } = useQuery({
    queryKey: ["password-estimator"],
    queryFn: loadEstimator,
    enabled: typed !== "",
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const strength = typed === "" || strengthOf === undefined ? null : strengthOf(typed.slice(0, estimated));
  return (
    <div role="status">
      {strength === null ? null : (
        <>
          <meter
            min={0}
            max={4}
            low={2}
            high={3}
            optimum={4}
            value={strength}
            aria-label={messages.label}
            style={{ inlineSize: "100%" }}
          />
          <Text fz="sm">{messages.words[strength]}</Text>
        </>
      )}
    </div>
  );
}
