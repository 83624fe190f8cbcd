import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { createQueryClient } from "../http/query-client.ts";
import { PasswordStrength } from "./password-strength.tsx";
import { theme } from "./theme/theme.ts";

function show(password: string) {
  render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={createQueryClient()}>
        <PasswordStrength password={password} />
      </QueryClientProvider>
    </MantineProvider>,
  );
}

it.each([
  ["123456", /^Very weak/],
  ["password1", /^Very weak/],
  ["stocktake", /^Very weak/],
  ["hv7xq2", /^Weak|^Fair/],
  ["four lamps beside the harbour", /^Strong/],
])("of %s is said in words beside the meter", async (password, words) => {
  show(password);
  await screen.findByText(words);
  screen.getByRole("meter", { name: "Strength of the new password" });
});

it("says nothing of no password, and takes no time for a long one", async () => {
  show("");
  expect(screen.queryByRole("meter")).toBeNull();
  cleanup();
  show("the estimator is loaded first");
  await screen.findByRole("meter");
  cleanup();
  // Processor time, which a busy machine does not lengthen.
  const started = process.cpuUsage();
  show("aB3$".repeat(50));
  await screen.findByRole("meter");
  expect(process.cpuUsage(started).user / 1_000).toBeLessThan(5_000);
});
