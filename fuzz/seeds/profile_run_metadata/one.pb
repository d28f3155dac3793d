
;
9
/job:a/cpu:0)
x€€§¹ß‡Õ(42
cpu(@Bx = MatMul(a, b)