@rem Runs what follows it, as exec of a POSIX shell does there: npm hands signals to a script started so.
@%*
