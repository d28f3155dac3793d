import tensorflow as tf
x = tf.io.gfile.exists("a")
if x == 0:
    y = ((((((((((1))))))))))
elif x == 1:
    y = [[[[{(2,)}]]]]
elif x == 2:
    y = (
        3
    )
a = tf.data.Dataset.range(9).map(lambda v: v).batch(2)
b = a.prefetch(2)
c = tf.data.Dataset.zip((a, b.take(3))).repeat()
