import { parentPort } from 'node:worker_threads';
import { type ReportFacts } from '../report.facts';
import { printed } from './report.print';

/** What a thread of the press answers (`ReportPress`): one answer to each message. */
export type Printed = { readonly report: Awaited<ReturnType<typeof printed>> } | { readonly failure: string };

parentPort?.on('message', (facts: ReportFacts) => {
  void printed(facts).then(
    (report) => answer({ report }),
    (error: unknown) => answer({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});

function answer(printed: Printed): void {
  parentPort?.postMessage(printed, []);
}
