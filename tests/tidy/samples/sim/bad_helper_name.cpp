// expect-file: banned-word
int value();
