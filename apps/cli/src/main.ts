import 'reflect-metadata';
import { buildProgram } from './program';
import { report } from './report';

buildProgram()
  .parseAsync()
  .catch((error: unknown) => {
    process.stderr.write(`${report(error)}\n`);
    process.exitCode = 1;
  });
