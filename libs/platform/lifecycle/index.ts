export { runProcess, type RunningProcess } from './process.runner';
