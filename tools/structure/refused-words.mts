import type { NameException } from './name-rules.mts';

/** Words of a private language, each with what the field says instead in `docs/glossary.md`. */
export const REFUSED_WORDS: ReadonlySet<string> = new Set(
  `turn turns lane lanes desk memory world worlds aside hold holds held fleet presence sight sights seen letter letters word words
   keeping keeps kept press doubt doubts look looks looked told tells tell wake wakes woken plant planted announce announced
   rest wire wired given wanted asked asks judge judged judging wish wishes census sealed moved outdated lost gone patience pace rhythm
   standing standings loose gentle aftermath foresee foreseen lookout deed deeds tale course vain`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

export const EXCEPTIONS: readonly NameException[] = [];
