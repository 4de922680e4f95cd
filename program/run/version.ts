import manifest from '../../package.json' with { type: 'json' }

/** The version of this suite, as reports name it. */
export const suiteVersion: string = manifest.version
