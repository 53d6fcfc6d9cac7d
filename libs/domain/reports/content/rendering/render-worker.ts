import { type ReportFacts } from '../report-facts';
import { renderReport } from './render-report';

/** The answer of a render thread (`RenderPool`). */
export type RenderAnswer = { readonly report: Awaited<ReturnType<typeof renderReport>> } | { readonly failure: string };

/** Runs on the thread. */
export async function render(facts: ReportFacts): Promise<RenderAnswer> {
  try {
    return { report: await renderReport(facts) };
  } catch (error) {
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
