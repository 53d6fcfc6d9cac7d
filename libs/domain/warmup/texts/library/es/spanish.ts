import { type Library } from '../vocabulary';
import { details, frame, lastWords, partingWords } from './frame';
import { daily } from './topics.daily';
import { work } from './topics.work';

export const spanish: Library = { details, frame, lastWords, partingWords, topics: [...daily, ...work] };
