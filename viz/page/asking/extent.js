// How far an answer goes that is not exact, as the end of a clause: ``texts/extent.py`` has the same.

export const AS_SHOWN = ", as far as the loaded files show";

/** As far as the search got, or as the loaded files show it; empty where an answer is exact. */
export function asFar(answer) {
  if (answer.exact) return "";
  const budget = answer.inexact_because.some((one) => one.cause === "budget");
  return budget ? ", as far as was searched" : AS_SHOWN;
}
