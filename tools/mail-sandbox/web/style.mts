export const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, CanvasText 15%, Canvas); --soft: color-mix(in srgb, CanvasText 60%, Canvas);
  --card: color-mix(in srgb, CanvasText 4%, Canvas); --accent: #2563eb; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 70rem; padding: 1.5rem; font: 15px/1.5 system-ui, sans-serif; }
header { display: flex; gap: 1rem; align-items: baseline; flex-wrap: wrap; margin-bottom: 1rem; }
h1 { font-size: 1.15rem; margin: 0; } h1 a { color: inherit; text-decoration: none; }
h2 { font-size: 1.35rem; margin: 0 0 .5rem; overflow-wrap: anywhere; }
a { color: var(--accent); }
form { display: flex; gap: .5rem; margin-left: auto; }
input { font: inherit; padding: .3rem .6rem; border: 1px solid var(--line); border-radius: .4rem; background: Canvas; color: CanvasText; width: 18rem; }
button { font: inherit; padding: .3rem .8rem; border: 0; border-radius: .4rem; background: var(--accent); color: #fff; }
table { width: 100%; border-collapse: collapse; } td, th { text-align: left; padding: .45rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
td { overflow-wrap: anywhere; } td.who { min-width: 11rem; } .facts th { width: 9rem; } th { font-weight: 500; color: var(--soft); white-space: nowrap; } td.time, td.size { white-space: nowrap; color: var(--soft); }
.tag { font-size: .8rem; padding: 0 .45rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--soft); white-space: nowrap; }
.empty, .note { color: var(--soft); } section { margin: 1.5rem 0; }
iframe { width: 100%; height: 22rem; border: 1px solid var(--line); border-radius: .5rem; background: #fff; resize: vertical; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .8rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 30rem; }
summary { cursor: pointer; font-weight: 500; } details { margin: 1rem 0; }
nav { display: flex; gap: 1rem; flex-wrap: wrap; }
`;
